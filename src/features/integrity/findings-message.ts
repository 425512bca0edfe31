/** Sends one message about all new findings, instead of one per file or round. */
import { FINDING_SENTENCES } from '../../contract/service/maintenance.ts'
import type { Database } from '../../database/database.ts'
import type { Notify } from '../notify/notify.ts'
import { type Finding, listFindings, markReported } from './findings.store.ts'

/** Maximum number of files that one message counts, and that it names. */
const REPORTED_MAX = 1000
const MAX_NAMED = 5

/** `also`: further lines for the same message. */
export async function sendFindings(
  { database, notify }: { database: Database; notify: Notify },
  also: string[] = [],
): Promise<void> {
  const { findings, total } = await listFindings(database.read, { limit: REPORTED_MAX, unreported: true })
  const news = total === 0 ? [] : [findingsText(findings.slice(0, MAX_NAMED), total)]
  if (also.length + news.length === 0) return
  // Queued before the findings are marked: a crash in between sends the message twice rather than never.
  await notify.queue('verwaiste', [...also, ...news].join('\n'))
  await database.transaction(tx =>
    markReported(
      tx,
      findings.map(({ id }) => id),
    ),
  )
}

export function findingsText(findings: readonly Finding[], total: number): string {
  const lines = findings.map(
    ({ path, place, reason }) =>
      `${path}${place === 'trash' ? ' (im Papierkorb)' : ''}: ${FINDING_SENTENCES[reason]}`,
  )
  const more = total - findings.length
  return [
    total === 1
      ? 'Eine gespeicherte Datei ist nicht mehr in Ordnung:'
      : `${total} gespeicherte Dateien sind nicht mehr in Ordnung:`,
    ...lines,
    ...(more > 0 ? [`… und ${more} weitere`] : []),
    'Aus einer Sicherung zurückholen oder neu hochladen; mehr zeigt die Wartung.',
  ].join('\n')
}
