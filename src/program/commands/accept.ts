/** `fundus accept`: ends the warning about lost changes, and keeps the database in use. */
import { openAdapters } from '../../adapters/adapters.ts'
import type { TextPair } from '../../base/language.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'

/**
 * Printed by `check` and `doctor` while changes are missing. `lossFile`: the name of the file that shows the
 * loss (`adapters/lost-changes.ts`).
 */
export const lostChangesText = (lossFile: string): TextPair => [
  `Der Datenbank fehlen Änderungen, die schon gespeichert waren (${lossFile}): Sie ist eine ältere Kopie, oder ihr Protokoll (fundus.db-wal) wurde nach einem Absturz entfernt. Gibt es die neuere noch, so hilft, sie bei beendetem Dienst zurückzulegen. Sonst holt fundus restore eine Sicherung zurück; im Ordner verzeichnet fundus rebuild die vorhandenen Dateien neu, wenn fundus.db vorher beiseitegelegt wurde. Bis dahin bleiben Dateien ohne Eintrag liegen. Soll diese Datenbank gelten, beendet fundus accept die Meldung.`,
  `The database lacks changes that had been stored (${lossFile}): it is an older copy, or its log (fundus.db-wal) was removed after a crash. If the newer one still exists, stop the service and put it back. Otherwise fundus restore brings a backup back; with a data folder, fundus rebuild records the files that are there once fundus.db was moved away. Until then files without a record stay. If this database is the one to keep, fundus accept ends this message.`,
]

export const command: Command = {
  help: [
    `fundus accept

  Für den Fall, dass der Dienst meldet, seiner Datenbank fehlten Änderungen, und es mit dieser Datenbank weitergehen soll: Die
  Meldung endet, auch im laufenden Dienst. Dateien, die nur die neuere Datenbank kannte, entfernt danach der nächtliche Abgleich.`,
    `fundus accept

  For the case that the service reports a database that lacks changes, and this database is the one to keep: the message ends, in a
  running service too. Afterwards the nightly sweep removes the files that only the newer database knew.`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    parseOptions(args, {})
    await using adapters = await openAdapters(config, { log })
    const lossFile = await adapters.lostChanges.find()
    if (lossFile !== null) await adapters.lostChanges.accept()
    print(
      lossFile === null
        ? localize('Der Datenbank fehlt nichts.', 'The database lacks nothing.')
        : localize('Es geht mit dieser Datenbank weiter.', 'This database is kept.'),
    )
  },
}
