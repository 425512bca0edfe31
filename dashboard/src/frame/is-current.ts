/** Whether a page, or one below it, is the one shown. */
export const isCurrent = (path: string, location: string) =>
  location === path || (path !== '/' && location.startsWith(`${path}/`))
