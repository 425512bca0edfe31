/**
 * Loaded before the service (`BUN_OPTIONS=--preload=…`): its clock is two hours ahead. For what only happens to files of
 * some age, since the time that counts there cannot be set on a file.
 */
const AHEAD = 2 * 60 * 60 * 1000

const now = Date.now
Date.now = () => now() + AHEAD
