/** Absolute paths of the operating systems, for folders that an operator sets. */

/**
 * Absolute paths: `D:\folder`, `\\server\share` and `/folder`. `D:folder` is not absolute, since it depends
 * on the drive's current folder.
 */
const DRIVE_PATH_PATTERN = /^[A-Za-z]:[\\/]/
const UNC_PATH_PATTERN = /^\\\\[^\\/]+\\[^\\/]+/
const POSIX_PATH_PATTERN = /^\//
export const isPosixPath = (value: string) => POSIX_PATH_PATTERN.test(value)
export const isWindowsPath = (value: string) => DRIVE_PATH_PATTERN.test(value) || UNC_PATH_PATTERN.test(value)
