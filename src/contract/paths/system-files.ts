/** Files that operating systems put into folders, and that nobody wants to upload. */

const SYSTEM_FILE_PATTERN = /(?:^|\/)(?:\.ds_store|thumbs\.db|desktop\.ini|__macosx\/.*|\._[^/]*)$/i

export const isSystemFile = (path: string) => SYSTEM_FILE_PATTERN.test(path)
