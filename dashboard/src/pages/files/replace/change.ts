/** What differs between a path and what it becomes, for marking it: what stays in front, what goes, what comes, the rest. */

export interface Change {
  before: string
  removed: string
  added: string
  after: string
}

/** One stretch, from the first difference to the last: easier to read than many small ones. */
export function changeOf(from: string, to: string): Change {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start++
  let end = 0
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return {
    before: from.slice(0, start),
    removed: from.slice(start, from.length - end),
    added: to.slice(start, to.length - end),
    after: from.slice(from.length - end),
  }
}
