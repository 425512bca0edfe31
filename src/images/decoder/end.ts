/** Ends this process and the ffmpeg that it may have started; both are in one process group. */
export function endEverything(): never {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // This process leads no process group, because it was started by hand.
  }
  process.exit(1)
}
