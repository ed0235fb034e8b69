import { closeGate, forgetHosts } from "./allow.js";
import { background } from "./background.js";

chrome.runtime.onInstalled.addListener(closeGate);
chrome.runtime.onStartup.addListener(closeGate);
background(forgetHosts);
