/** A line of the list of checksums, as `sha256sum` writes and reads it. No name of ours needs escaping. */
export const checksumLine = (sha256: string, name: string) => `${sha256}  ${name}\n`
