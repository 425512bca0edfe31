/** How many entries a page of a list can have. */
export const PAGE_SIZES = [30, 60, 120, 200] as const
export const DEFAULT_PAGE_SIZE = 60
