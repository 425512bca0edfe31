/** The shares of a limit from which a usage bar warns. */

const NEARLY_FULL = 0.8
const FULL = 0.95

export type UsageLevel = 'fine' | 'near' | 'full'

/**
 * The used share of a limit, and whether to warn. The share may be above 1: data that is cleaned up only once
 * an hour can exceed its limit for a while.
 */
export function usageLevel(used: number, limit: number): { share: number; level: UsageLevel } {
  const share = limit > 0 ? used / limit : used > 0 ? 1 : 0
  return { share, level: share >= FULL ? 'full' : share >= NEARLY_FULL ? 'near' : 'fine' }
}
