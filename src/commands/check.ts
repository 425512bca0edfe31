/** `fundus check`: compares the database with the stored objects. */
import { openAdapters } from '../adapters.ts'
import { formatBytes } from '../contract/bytes.ts'
import { type CheckReport, check as checkStore } from '../features/integrity/check.ts'
import type { Names } from '../features/integrity/names.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'
import { number, section } from './printing.ts'
import { createProgress } from './progress.ts'

export const command: Command = {
  help: `fundus check [--schnell] [--repair] [--json]

  Vergleicht jeden Eintrag mit seiner Datei (da, Länge, Prüfsumme), jede Datei der Ablage mit der Datenbank und die
  mitgeführten Zahlen mit dem, was sie zählen. Der Dienst darf laufen. Endet mit 0, wenn alles in Ordnung ist, sonst mit 1.

  --schnell           ohne Prüfsummen: liest keine Datei
  --repair            behebt, was gefahrlos geht: entfernt alte Objekte ohne Eintrag, lässt fehlende Vorschauen und
                      WebP-Fassungen neu machen, zählt Zahlen neu. Ein Eintrag, dessen Datei fehlt, bleibt immer stehen.
  --json              Bericht als JSON`,

  async run({ config, log, args, print, complain, fail }) {
    const { schnell, repair, json } = parseOptions(args, {
      schnell: { type: 'boolean' },
      repair: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    await using adapters = await openAdapters(config, { log })
    const unit = schnell ? 'files' : 'bytes'
    const progress = createProgress({ label: 'Prüfung', unit, write: complain })
    const report = await checkStore(adapters, {
      contents: !schnell,
      repair: repair === true,
      onProgress: (done, total) => progress.at(done[unit], total[unit]),
    }).finally(progress.end)
    print(json ? JSON.stringify(report) : readable(report))
    if (!report.ok) fail()
  },
}

function readable(report: CheckReport): string {
  const { checked, figures, repaired } = report
  const lines = [
    `Geprüft: ${number(checked.files)} Dateien, ${number(checked.trash)} im Papierkorb, ${number(checked.objects)} Objekte` +
      (checked.contents ? `, ${formatBytes(checked.bytes)} gelesen.` : '; Prüfsummen nicht (--schnell).'),
    ...section('Objekte ohne Eintrag', report.withoutRow, LEFT),
    ...section('Einträge, deren Datei fehlt', inWords(report.withoutObject), LOST),
    ...section('Dateien mit falscher Länge', inWords(report.wrongSize), LOST),
    ...section('Dateien mit verändertem Inhalt', inWords(report.wrongContent), LOST),
    ...section('Dateien, die sich nicht lesen lassen', inWords(report.unreadable), LOST),
    ...section(
      'Dateien ohne ihre Vorschau oder WebP-Fassung',
      inWords(report.withoutDerived),
      '--repair lässt sie neu machen.',
    ),
    ...section(
      'Ordner mit falschen Zahlen',
      listed(figures.folders.map(name => name || '(oberste Ebene)')),
      RECOUNT,
    ),
    ...section('Tokens mit falschen Zahlen', listed(figures.tokens), RECOUNT),
    ...(figures.trash ? ['', `Die Zahlen des Papierkorbs stimmen nicht. ${RECOUNT}`] : []),
    ...(figures.unretrieved ? ['', `Die Zahl der nie abgerufenen Dateien stimmt nicht. ${RECOUNT}`] : []),
  ]
  if (repaired) {
    const { removed, remade, recounted } = repaired
    lines.push(
      '',
      `Behoben: ${removed === 1 ? 'ein Objekt' : `${number(removed)} Objekte`} entfernt, ${remade === 1 ? 'eine Datei' : `${number(remade)} Dateien`} zum Ableiten vorgemerkt` +
        (recounted ? ', Zahlen neu gezählt.' : '.'),
      ...(removed < report.withoutRow.count ? [KEPT] : []),
    )
  }
  lines.push('', report.ok ? 'Alles in Ordnung.' : 'Nicht alles ist in Ordnung.')
  return lines.join('\n')
}

const LOST =
  'Aus einer Sicherung zurückholen (im Archiv unter dateien/) und unter demselben Pfad neu hochladen; der Eintrag bleibt stehen.'
const LEFT =
  'Wenige sind Reste eines Absturzes und belegen nur Platz; --repair entfernt sie. Viele heißen, dass der Datenbank Einträge ' +
  'fehlen: dann fundus restore oder fundus rebuild.'
const KEPT =
  'Nicht entfernt ist, was ohne Eintrag daliegt: Gerade läuft eine Sicherung oder ein anderer Abgleich, dann später noch ' +
  'einmal; oder es sind so viele Dateien, dass wohl die Datenbank veraltet ist, dann fundus restore oder fundus rebuild.'
const RECOUNT = '--repair zählt sie neu.'

/** Names for the operator: the prefix of files in the trash in German. */
const inWords = ({ count, names }: Names): Names => ({
  count,
  names: names.map(name => name.replace(/^trash:/, 'Papierkorb: ')),
})

const listed = (names: string[]): Names => ({ count: names.length, names })
