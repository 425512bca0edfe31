/** Sends one message about all new findings, instead of one per file. */
import { FINDING_SENTENCES } from '../../contract/service/maintenance.ts'
import type { Database } from '../../database/database.ts'
import type { Notifier } from '../notify/notify.ts'
import { type Finding, listFindings, markReported } from './findings.store.ts'

/** Maximum number of files that a message names. */
const MAX_NAMED_FILES = 5

/** Sends `furtherLines` and the new findings in one message; sends nothing if there are neither. */
export async function sendFindings(
  { database, notify }: { database: Database; notify: Notifier },
  furtherLines: string[] = [],
): Promise<void> {
  const { findings, total } = await listFindings(database.read, {
    limit: MAX_NAMED_FILES,
    onlyUnreported: true,
  })
  const [newestFinding] = findings
  const findingLines = newestFinding ? [findingsText(findings, total)] : []
  if (furtherLines.length + findingLines.length === 0) return
  // The message is queued before the findings are marked as reported: after a crash in between, it is sent
  // twice rather than never.
  await notify.queue('verwaiste', [...furtherLines, ...findingLines].join('\n'))
  if (newestFinding) await database.transaction(tx => markReported(tx, newestFinding.foundAt))
}

export function findingsText(findings: readonly Finding[], total: number): string {
  const lines = findings.map(
    ({ path, place, reason }) =>
      `${path}${place === 'trash' ? ' (im Papierkorb)' : ''}: ${FINDING_SENTENCES[reason]}`,
  )
  const unnamedCount = total - findings.length
  return [
    total === 1
      ? 'Eine gespeicherte Datei ist nicht mehr in Ordnung:'
      : `${total} gespeicherte Dateien sind nicht mehr in Ordnung:`,
    ...lines,
    ...(unnamedCount > 0 ? [`… und ${unnamedCount} weitere`] : []),
    'Aus einer Sicherung zurückholen oder neu hochladen; mehr zeigt die Wartung.',
  ].join('\n')
}
