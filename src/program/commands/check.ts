/** `fundus check`: compares the database with the stored objects. */
import { openAdapters } from '../../adapters/adapters.ts'
import type { Say, TextPair } from '../../base/language.ts'
import { type CheckReport, checkIntegrity } from '../../features/integrity/check.ts'
import type { Names } from '../../features/integrity/names.ts'
import type { Speech } from '../speech.ts'
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

  async run({ config, log, args, speech, print, startProgress, fail }) {
    const { quick, repair, json } = parseOptions(args, {
      quick: { type: 'boolean' },
      repair: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    await using adapters = await openAdapters(config, { log })
    const unit = quick ? 'files' : 'bytes'
    const progress = startProgress('Prüfung', 'Check', unit)
    const report = await checkIntegrity(adapters, {
      contents: !quick,
      repair: repair === true,
      onProgress: (done, total) => progress.update(done[unit], total[unit]),
    }).finally(progress.end)
    print(json ? JSON.stringify(report) : reportText(report, speech))
    if (!report.ok) fail()
  },
}

function reportText(report: CheckReport, speech: Speech): string {
  const { checked, repaired } = report
  const { say, number, section } = speech
  const readSummary = checked.contents
    ? say(`, ${speech.bytes(checked.bytes)} gelesen.`, `, ${speech.bytes(checked.bytes)} read.`)
    : say('; Prüfsummen nicht (--quick).', '; no checksums (--quick).')
  const lines = [
    say(
      `Geprüft: ${number(checked.files)} Dateien, ${number(checked.trash)} im Papierkorb, ${number(checked.objects)} Objekte`,
      `Checked: ${number(checked.files)} files, ${number(checked.trash)} in the trash, ${number(checked.objects)} objects`,
    ) + readSummary,
    ...listsOf(report, say).flatMap(([title, list, advice]) => section(say(...title), list, say(...advice))),
    ...(report.lostChanges === null ? [] : ['', say(...lostChangesText(report.lostChanges))]),
    ...(report.figures.trash ? ['', `${say(...WRONG_TRASH)} ${say(...RECOUNT_TIP)}`] : []),
    ...(report.figures.unretrieved ? ['', `${say(...WRONG_UNRETRIEVED)} ${say(...RECOUNT_TIP)}`] : []),
  ]
  if (repaired) {
    lines.push('', repairsText(repaired, speech))
    if (repaired.removed < report.withoutRow.count) lines.push(say(...KEPT_NOTE))
  }
  lines.push(
    '',
    report.ok
      ? say('Alles in Ordnung.', 'Everything is in order.')
      : say('Nicht alles ist in Ordnung.', 'Not everything is in order.'),
  )
  return lines.join('\n')
}

/** The findings as titled lists, each with advice. */
function listsOf(
  report: CheckReport,
  say: Say,
): (readonly [title: TextPair, found: Names, advice: TextPair])[] {
  const { folders, tokens } = report.figures
  const translate = (list: Names) => translateTrashPrefix(list, say)
  const wrongFolders = folders.map(name => name || say('(oberste Ebene)', '(top level)'))
  return [
    [['Objekte ohne Eintrag', 'Objects without a record'], report.withoutRow, ORPHAN_TIP],
    [
      ['Einträge, deren Datei fehlt', 'Records whose file is missing'],
      translate(report.withoutObject),
      LOST_TIP,
    ],
    [['Dateien mit falscher Länge', 'Files of the wrong length'], translate(report.wrongSize), LOST_TIP],
    [
      ['Dateien mit verändertem Inhalt', 'Files with changed content'],
      translate(report.wrongContent),
      LOST_TIP,
    ],
    [
      ['Dateien, die sich nicht lesen lassen', 'Files that cannot be read'],
      translate(report.unreadable),
      LOST_TIP,
    ],
    [
      ['Dateien ohne ihre Vorschau oder WebP-Fassung', 'Files without their preview or WebP variant'],
      translate(report.withoutDerived),
      REMAKE_TIP,
    ],
    [['Ordner mit falschen Zahlen', 'Folders with wrong figures'], allNames(wrongFolders), RECOUNT_TIP],
    [['Tokens mit falschen Zahlen', 'Tokens with wrong figures'], allNames(tokens), RECOUNT_TIP],
  ]
}

const WRONG_TRASH: TextPair = [
  'Die Zahlen des Papierkorbs stimmen nicht.',
  'The figures of the trash are wrong.',
]
const WRONG_UNRETRIEVED: TextPair = [
  'Die Zahl der nie abgerufenen Dateien stimmt nicht.',
  'The number of files that were never retrieved is wrong.',
]

function repairsText(
  { removed, remade, recounted }: NonNullable<CheckReport['repaired']>,
  { say, number }: Pick<Speech, 'say' | 'number'>,
): string {
  const objects =
    removed === 1
      ? say('ein Objekt', 'one object')
      : say(`${number(removed)} Objekte`, `${number(removed)} objects`)
  const files =
    remade === 1 ? say('eine Datei', 'one file') : say(`${number(remade)} Dateien`, `${number(remade)} files`)
  return (
    say(
      `Behoben: ${objects} entfernt, ${files} zum Ableiten vorgemerkt`,
      `Repaired: ${objects} removed, ${files} noted for deriving`,
    ) + (recounted ? say(', Zahlen neu gezählt.', ', figures counted anew.') : '.')
  )
}

const LOST_TIP: TextPair = [
  'Aus einer Sicherung zurückholen (im Archiv unter dateien/) und unter demselben Pfad neu hochladen; der Eintrag bleibt stehen.',
  'Fetch them from a backup (in the archive below dateien/) and upload them under the same path again; the record stays.',
]
const ORPHAN_TIP: TextPair = [
  'Wenige sind Reste eines Absturzes und belegen nur Platz; --repair entfernt sie. Viele heißen, dass der Datenbank Einträge ' +
    'fehlen: dann fundus restore oder fundus rebuild.',
  'A few are what a crash left and only take space; --repair removes them. Many mean that the database lacks records: then ' +
    'fundus restore or fundus rebuild.',
]
const KEPT_NOTE: TextPair = [
  'Nicht entfernt ist, was ohne Eintrag daliegt: Gerade läuft eine Sicherung oder ein anderer Abgleich, dann später noch ' +
    'einmal; oder es sind so viele Dateien, dass wohl die Datenbank veraltet ist, dann fundus restore oder fundus rebuild.',
  'What lies there without a record was not removed: a backup or another sweep is running, then try again later; or there are so ' +
    'many files that the database is probably out of date, then fundus restore or fundus rebuild.',
]
const REMAKE_TIP: TextPair = ['--repair lässt sie neu machen.', '--repair has them made anew.']
const RECOUNT_TIP: TextPair = ['--repair zählt sie neu.', '--repair counts them anew.']

/** Replaces the prefix `trash:`, which marks files in the trash, by a word in the language of the output. */
const translateTrashPrefix = ({ count, names }: Names, say: Say): Names => ({
  count,
  names: names.map(name => name.replace(/^trash:/, say('Papierkorb: ', 'trash: '))),
})

const allNames = (names: string[]): Names => ({ count: names.length, names })
