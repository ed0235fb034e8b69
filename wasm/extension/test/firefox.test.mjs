import { cases } from "./cases.mjs";

cases("firefox");
