/**
 * Files that operating systems create in folders, such as `.DS_Store`. The dashboard and the upload command
 * skip them.
 */

const SYSTEM_FILE_PATTERN = /(?:^|\/)(?:\.ds_store|thumbs\.db|desktop\.ini|__macosx\/.*|\._[^/]*)$/i

export const isSystemFile = (path: string) => SYSTEM_FILE_PATTERN.test(path)
