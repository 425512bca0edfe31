/** Absolute paths of the operating systems, for folders that an operator sets. */

/**
 * Absolute paths: `D:\folder`, `\\server\share` and `/folder`. `D:folder` is not absolute, since it depends
 * on the drive's current folder.
 */
const DRIVE_PATH = /^[A-Za-z]:[\\/]/
const UNC_SHARE = /^\\\\[^\\/]+\\[^\\/]+/
const POSIX_PATH = /^\//
export const isPosixPath = (value: string) => POSIX_PATH.test(value)
export const isWindowsPath = (value: string) => DRIVE_PATH.test(value) || UNC_SHARE.test(value)
