/** Units of time, in milliseconds, and of size, in bytes. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const MEGABYTE = 1024 * 1024
export const GIGABYTE = 1024 * MEGABYTE
