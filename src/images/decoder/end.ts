/** Ends this process and the ffmpeg it may have started: they are one process group. */
export function endEverything(): never {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // Not the leader of a group: started by hand.
  }
  process.exit(1)
}
