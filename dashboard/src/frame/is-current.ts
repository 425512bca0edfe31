/** Whether this page, or one below its path, is shown. */
export const isCurrent = (path: string, location: string) =>
  location === path || (path !== '/' && location.startsWith(`${path}/`))
