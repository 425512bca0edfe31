/** Records that a stored file is damaged or missing; `features/integrity` reads these findings. */
import type { Queries } from './database.ts'
import type { FindingReason } from './schema.ts'

/** A known finding keeps its time and whether it was reported. */
export async function putFinding(tx: Queries, id: string, reason: FindingReason, at: number): Promise<void> {
  await tx
    .insertInto('finding')
    .values({ id, reason, found_at: at, looked_at: at, told: 0 })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ reason, looked_at: at }))
    .execute()
}
