/** `fundus check`: compares the database with the stored objects; `--repair` fixes what is safe to fix. */
import { openAdapters } from '../../adapters/adapters.ts'
import type { PickText, TextPair } from '../../base/language.ts'
import { type CheckReport, checkIntegrity } from '../../features/integrity/check.ts'
import type { CountedNames } from '../../features/integrity/names.ts'
import type { Formatter } from '../formatter.ts'
import { lostChangesText } from './accept.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'

export const command: Command = {
  help: [
    `fundus check [--quick] [--repair] [--json]

  Vergleicht jeden Eintrag mit seiner Datei (da, Länge, Prüfsumme), jede Datei der Ablage mit der Datenbank und die
  mitgeführten Zahlen mit dem, was sie zählen. Der Dienst darf laufen.

  --quick             ohne Prüfsummen: liest keine Datei
  --repair            behebt, was gefahrlos geht: entfernt alte Objekte ohne Eintrag, lässt fehlende Vorschauen und
                      WebP-Fassungen neu machen, zählt Zahlen neu. Ein Eintrag, dessen Datei fehlt, bleibt immer stehen.
  --json              Bericht als JSON

  Rückgabewert: 0 alles ist in Ordnung, 1 nicht alles ist in Ordnung, 2 so nicht ausführbar.`,
    `fundus check [--quick] [--repair] [--json]

  Compares every record with its file (there, length, checksum), every stored file with the database, and the figures that are
  kept with what they count. The service may run.

  --quick             without checksums: reads no file
  --repair            repairs what is safe to repair: removes old objects without a record, has missing previews and WebP
                      variants made anew, counts figures anew. A record whose file is missing always stays.
  --json              report as JSON

  Exit code: 0 everything is in order, 1 not everything is in order, 2 cannot be run like this.`,
  ],

  async run({ config, log, args, formatter, print, startProgress, fail }) {
    const { quick, repair, json } = parseOptions(args, {
      quick: { type: 'boolean' },
      repair: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    await using adapters = await openAdapters(config, { log })
    const unit = quick ? 'files' : 'bytes'
    const progress = startProgress('Prüfung', 'Check', unit)
    const report = await checkIntegrity(adapters, {
      readsContents: !quick,
      shouldRepair: repair === true,
      onProgress: (doneAmounts, totalAmounts) => progress.update(doneAmounts[unit], totalAmounts[unit]),
    }).finally(progress.end)
    print(json ? JSON.stringify(report) : reportText(report, formatter))
    if (!report.ok) fail()
  },
}

function reportText(report: CheckReport, formatter: Formatter): string {
  const { checked: checkSummary, repaired: repairs } = report
  const { localize, formatNumber, listLines } = formatter
  const readBytesText = checkSummary.contents
    ? localize(
        `, ${formatter.formatSize(checkSummary.bytes)} gelesen.`,
        `, ${formatter.formatSize(checkSummary.bytes)} read.`,
      )
    : localize('; Prüfsummen nicht (--quick).', '; no checksums (--quick).')
  const lines = [
    localize(
      `Geprüft: ${formatNumber(checkSummary.files)} Dateien, ${formatNumber(checkSummary.trash)} im Papierkorb, ${formatNumber(checkSummary.objects)} Objekte`,
      `Checked: ${formatNumber(checkSummary.files)} files, ${formatNumber(checkSummary.trash)} in the trash, ${formatNumber(checkSummary.objects)} objects`,
    ) + readBytesText,
    ...findingLists(report, localize).flatMap(([title, names, advice]) =>
      listLines(localize(...title), names, localize(...advice)),
    ),
    ...(report.lostChanges === null ? [] : ['', localize(...lostChangesText(report.lostChanges))]),
    ...(report.figures.trash
      ? ['', `${localize(...WRONG_TRASH_FIGURES_TEXT)} ${localize(...RECOUNT_TIP)}`]
      : []),
    ...(report.figures.unretrieved
      ? ['', `${localize(...WRONG_NEVER_RETRIEVED_FIGURES_TEXT)} ${localize(...RECOUNT_TIP)}`]
      : []),
  ]
  if (repairs) {
    lines.push('', repairsText(repairs, formatter))
    if (repairs.removed < report.withoutRow.count) lines.push(localize(...NOT_REMOVED_NOTE))
  }
  lines.push(
    '',
    report.ok
      ? localize('Alles in Ordnung.', 'Everything is in order.')
      : localize('Nicht alles ist in Ordnung.', 'Not everything is in order.'),
  )
  return lines.join('\n')
}

/** The findings as titled lists, each with advice. */
function findingLists(
  report: CheckReport,
  localize: PickText,
): (readonly [title: TextPair, found: CountedNames, advice: TextPair])[] {
  const { folders, tokens } = report.figures
  const translateNames = (list: CountedNames) => translateTrashPrefix(list, localize)
  const wrongFolders = folders.map(name => name || localize('(oberste Ebene)', '(top level)'))
  return [
    [['Objekte ohne Eintrag', 'Objects without a record'], report.withoutRow, ORPHAN_TIP],
    [
      ['Einträge, deren Datei fehlt', 'Records whose file is missing'],
      translateNames(report.withoutObject),
      RESTORE_TIP,
    ],
    [
      ['Dateien mit falscher Länge', 'Files of the wrong length'],
      translateNames(report.wrongSize),
      RESTORE_TIP,
    ],
    [
      ['Dateien mit verändertem Inhalt', 'Files with changed content'],
      translateNames(report.wrongContent),
      RESTORE_TIP,
    ],
    [
      ['Dateien, die sich nicht lesen lassen', 'Files that cannot be read'],
      translateNames(report.unreadable),
      RESTORE_TIP,
    ],
    [
      ['Dateien ohne ihre Vorschau oder WebP-Fassung', 'Files without their preview or WebP variant'],
      translateNames(report.withoutDerived),
      REMAKE_TIP,
    ],
    [['Ordner mit falschen Zahlen', 'Folders with wrong figures'], toCountedNames(wrongFolders), RECOUNT_TIP],
    [['Tokens mit falschen Zahlen', 'Tokens with wrong figures'], toCountedNames(tokens), RECOUNT_TIP],
  ]
}

const WRONG_TRASH_FIGURES_TEXT: TextPair = [
  'Die Zahlen des Papierkorbs stimmen nicht.',
  'The figures of the trash are wrong.',
]
const WRONG_NEVER_RETRIEVED_FIGURES_TEXT: TextPair = [
  'Die Zahl der nie abgerufenen Dateien stimmt nicht.',
  'The number of files that were never retrieved is wrong.',
]

function repairsText(
  {
    removed: removedCount,
    remade: remadeCount,
    recounted: areFiguresRecounted,
  }: NonNullable<CheckReport['repaired']>,
  { localize, formatNumber }: Pick<Formatter, 'localize' | 'formatNumber'>,
): string {
  const objectsText =
    removedCount === 1
      ? localize('ein Objekt', 'one object')
      : localize(`${formatNumber(removedCount)} Objekte`, `${formatNumber(removedCount)} objects`)
  const filesText =
    remadeCount === 1
      ? localize('eine Datei', 'one file')
      : localize(`${formatNumber(remadeCount)} Dateien`, `${formatNumber(remadeCount)} files`)
  return (
    localize(
      `Behoben: ${objectsText} entfernt, ${filesText} zum Ableiten vorgemerkt`,
      `Repaired: ${objectsText} removed, ${filesText} noted for deriving`,
    ) + (areFiguresRecounted ? localize(', Zahlen neu gezählt.', ', figures counted anew.') : '.')
  )
}

const RESTORE_TIP: TextPair = [
  'Aus einer Sicherung zurückholen (im Archiv unter dateien/) und unter demselben Pfad neu hochladen; der Eintrag bleibt stehen.',
  'Fetch them from a backup (in the archive below dateien/) and upload them under the same path again; the record stays.',
]
const ORPHAN_TIP: TextPair = [
  'Wenige sind Reste eines Absturzes und belegen nur Platz; --repair entfernt sie. Viele heißen, dass der Datenbank Einträge ' +
    'fehlen: dann fundus restore oder fundus rebuild.',
  'A few are what a crash left and only take space; --repair removes them. Many mean that the database lacks records: then ' +
    'fundus restore or fundus rebuild.',
]
const NOT_REMOVED_NOTE: TextPair = [
  'Nicht entfernt ist, was ohne Eintrag daliegt: Gerade läuft eine Sicherung oder ein anderer Abgleich, dann später noch ' +
    'einmal; oder es sind so viele Dateien, dass wohl die Datenbank veraltet ist, dann fundus restore oder fundus rebuild.',
  'What lies there without a record was not removed: a backup or another sweep is running, then try again later; or there are so ' +
    'many files that the database is probably out of date, then fundus restore or fundus rebuild.',
]
const REMAKE_TIP: TextPair = ['--repair lässt sie neu machen.', '--repair has them made anew.']
const RECOUNT_TIP: TextPair = ['--repair zählt sie neu.', '--repair counts them anew.']

/** Replaces the prefix `trash:`, which marks files in the trash, by a word in the language of the output. */
const translateTrashPrefix = ({ count, names }: CountedNames, localize: PickText): CountedNames => ({
  count,
  names: names.map(name => name.replace(/^trash:/, localize('Papierkorb: ', 'trash: '))),
})

const toCountedNames = (names: string[]): CountedNames => ({ count: names.length, names })
