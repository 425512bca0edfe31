/** Whether the page at this path, or a page below that path, is shown at the moment. */
export const isCurrent = (path: string, location: string) =>
  location === path || (path !== '/' && location.startsWith(`${path}/`))
