export { passOnce, endPass } from "./allow.js";
