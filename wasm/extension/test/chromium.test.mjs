import { cases } from "./cases.mjs";

cases("chromium");
