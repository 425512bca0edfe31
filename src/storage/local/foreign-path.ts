import { isWindowsPath } from '../../contract/paths/absolute-path.ts'

/**
 * Whether a path names a Windows drive or share on a system other than Windows, which would use it as a file
 * name.
 */
export const isForeignPath = (path: string, platform: string = process.platform) =>
  platform !== 'win32' && isWindowsPath(path)
