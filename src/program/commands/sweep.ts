/**
 * `fundus sweep`: removes old stored objects that no row refers to, and lists files whose object is missing.
 */
import { openAdapters } from '../../adapters/adapters.ts'
import { failure } from '../../errors/errors.ts'
import { sentencePair } from '../../errors/failure.ts'
import { sweep as sweepStore } from '../../features/integrity/sweep.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { parseOptions } from './options.ts'

export const command: Command = {
  help: [
    `fundus sweep [--older-than <Sekunden>]

  Vergleicht Ablage und Datenbank. Objekte, auf die keine Zeile zeigt, werden entfernt; Dateien, deren Objekt fehlt,
  werden genannt. Die Ausgabe ist JSON: {"removed": [Objekte], "heldBack": Zahl, "missing": [Pfade],
  "missingInTrash": [{nr, path}]}; das letzte sind Dateien im Papierkorb, mit ihrer Nummer dort. Kennt die Datenbank
  keine einzige Datei, so wird nichts entfernt; „heldBack“ zählt dann, was daliegt.

  --older-than <Sekunden>  nur, was so alt ist (${SWEEP_AGE / 1000}). Weniger ist nur bei beendetem Dienst sicher.`,
    `fundus sweep [--older-than <seconds>]

  Compares stored files and database. Objects that no row points to are removed; files whose object is missing are named. The
  output is JSON: {"removed": [objects], "heldBack": number, "missing": [paths], "missingInTrash": [{nr, path}]}; the last are
  files in the trash, with their number there. Where the database knows not a single file nothing is removed; “heldBack” then
  counts what lies there.

  --older-than <seconds>   only what is that old (${SWEEP_AGE / 1000}). Less is safe only while the service is stopped.`,
  ],

  async run({ config, log, args, print }) {
    const typedSeconds =
      parseOptions(args, { 'older-than': { type: 'string' } })['older-than'] ?? String(SWEEP_AGE / 1000)
    if (!/^\d+$/.test(typedSeconds))
      throw new UsageError(
        '--older-than muss eine Zahl von Sekunden sein.',
        '--older-than must be a number of seconds.',
      )
    const minAge = Number(typedSeconds) * 1000
    await using adapters = await openAdapters(config, { log })
    const outcome = await adapters.coordination.exclusively('sweep', signal =>
      sweepStore(adapters, { minAge, isRequested: true, signal }),
    )
    if (!outcome)
      throw new UsageError(
        'Ein anderer Abgleich läuft gerade; bitte später noch einmal.',
        'Another sweep is running; please try again later.',
      )
    const { removedNames, heldBackCount, missing, missingInTrash } = outcome.result
    print(JSON.stringify({ removed: removedNames, heldBack: heldBackCount, missing, missingInTrash }))
    if (heldBackCount > 0) throw new CommandFailure(...sentencePair(failure.rowsLost()))
  },
}
