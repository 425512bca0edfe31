/** Decides at which share of its limit a usage bar shows a warning. */

const NEARLY_FULL_SHARE = 0.8
const FULL_SHARE = 0.95

export type UsageLevel = 'fine' | 'near' | 'full'

/**
 * The used share of a limit, and whether that share counts as near the limit or as full. The share may be
 * above 1: the trash, for example, is reduced to its limit only once an hour.
 */
export function usageLevel(usedAmount: number, limit: number): { share: number; level: UsageLevel } {
  const share = limit > 0 ? usedAmount / limit : usedAmount > 0 ? 1 : 0
  return { share, level: share >= FULL_SHARE ? 'full' : share >= NEARLY_FULL_SHARE ? 'near' : 'fine' }
}
