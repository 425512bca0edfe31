/** `fundus backup --rehearse`: rehearses a restore of the newest archive. */
import { rehearsalTrouble } from '../../errors/errors.ts'
import { sentencePair } from '../../errors/failure.ts'
import { createRehearsal, type RehearsalParts } from '../../features/rehearsal/rehearsal.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { type CommandContext, CommandFailure } from './command.ts'

/** Signals that end a backup or a rehearsal early. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface OutputParts extends Pick<CommandContext, 'formatter' | 'print' | 'startProgress'> {
  json: boolean
}

export async function rehearse(
  parts: RehearsalParts & { coordination: Coordination },
  { json, formatter, print, startProgress }: OutputParts,
): Promise<void> {
  const { localize } = formatter
  const stopController = new AbortController()
  const stop = () => stopController.abort(new CommandFailure(...sentencePair(rehearsalTrouble.stopped())))
  for (const signal of STOP_SIGNALS) process.once(signal, stop)
  const progress = startProgress('Probe der Wiederherstellung', 'Rehearsed restore')
  try {
    const outcome = await parts.coordination
      .exclusively('rehearsal', leaseSignal =>
        createRehearsal(parts).rehearse(
          AbortSignal.any([leaseSignal, stopController.signal]),
          progress.update,
        ),
      )
      .finally(progress.end)
    if (outcome === null) throw new CommandFailure(...sentencePair(rehearsalTrouble.running()))
    const { report, english } = outcome.result
    if (json) print(JSON.stringify(report))
    if (!report.ok) throw new CommandFailure(report.fehler ?? '', english)
    const { archiv, ort, zeilen, stichprobe, dateien } = report
    if (!json)
      print(
        localize(
          `${archiv} aus ${ort} lässt sich wiederherstellen: ${zeilen} Zeilen und ${stichprobe} von ${dateien} Dateien verglichen.`,
          `${archiv} from ${ort} can be restored: compared ${zeilen} rows and ${stichprobe} of ${dateien} files.`,
        ),
      )
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
  }
}
