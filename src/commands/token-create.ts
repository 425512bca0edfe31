/** `fundus token create`: creates a token and prints it this one time. */
import { KINDS } from '../contract/kinds.ts'
import { newToken } from '../contract/tokens.ts'
import { type Command, UsageError } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseOptions } from './options.ts'

const OPTIONS = {
  name: { type: 'string' },
  prefix: { type: 'string' },
  'may-delete': { type: 'boolean' },
  'max-file': { type: 'string' },
  quota: { type: 'string' },
  kinds: { type: 'string' },
  'valid-until': { type: 'string' },
  'max-edge': { type: 'string' },
  'strip-exif': { type: 'string' },
  json: { type: 'boolean' },
} as const

/** The command-line option for each field of the contract. */
const OPTION_OF: Record<string, keyof typeof OPTIONS> = {
  name: 'name',
  praefix: 'prefix',
  max_datei: 'max-file',
  kontingent: 'quota',
  arten: 'kinds',
  gueltig_bis: 'valid-until',
  max_kante: 'max-edge',
  exif_entfernen: 'strip-exif',
}

export const command: Command = {
  help: `fundus token create --name <Name> [Grenzen]

  --name <Name>            wofür das Token ist, zum Beispiel der Name des Spielservers
  --prefix <Pfad>          darf nur darunter schreiben, zum Beispiel items/
  --may-delete             darf auch löschen
  --max-file <Bytes>       größte einzelne Datei
  --quota <Bytes>          so viel darf es insgesamt belegen
  --kinds <Liste>          nur diese Arten: ${KINDS.join(',')}
  --valid-until <Datum>    gilt bis dahin, zum Beispiel 2027-01-31 oder 2027-01-31T18:00
  --max-edge <Pixel>       größere Bilder werden verkleinert
  --strip-exif <ja|nein>   Orts- und Kameradaten aus Bildern entfernen; sonst gilt EXIF_ENTFERNEN
  --json                   Ausgabe als JSON`,

  async run({ config, log, args, print }) {
    const values = parseOptions(args, OPTIONS)
    const limits = newToken.safeParse({
      name: values.name ?? '',
      praefix: values.prefix ?? null,
      darf_loeschen: values['may-delete'] ?? false,
      max_datei: numberOf(values['max-file']),
      kontingent: numberOf(values.quota),
      arten: values.kinds?.split(',').map(kind => kind.trim()) ?? null,
      gueltig_bis: dateOf(values['valid-until']),
      max_kante: numberOf(values['max-edge']),
      exif_entfernen: yesOrNo(values['strip-exif']),
    })
    if (!limits.success) {
      const [issue] = limits.error.issues
      const option = OPTION_OF[String(issue?.path[0])]
      throw new UsageError(
        `--${option} ${option === 'kinds' ? `kennt nur ${KINDS.join(', ')}` : issue?.message}.`,
      )
    }
    const { token, clearText } = await withTokens({ config, log }, tokens => tokens.create(limits.data))
    if (values.json) print(JSON.stringify({ id: token.id, name: token.name, token: clearText }))
    else print(`Token „${token.name}“ – es wird nur dieses eine Mal gezeigt:\n${clearText}`)
  },
}

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))

function yesOrNo(text: string | undefined): boolean | null {
  if (text === undefined) return null
  if (text !== 'ja' && text !== 'nein') throw new UsageError('--strip-exif ist ja oder nein.')
  return text === 'ja'
}

function dateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  // JavaScript reads a date without a time as UTC; the operator means local midnight.
  const at = new Date(text.includes('T') ? text : `${text}T00:00`)
  // JavaScript turns the 31st of February into the 3rd of March, so the day is compared.
  const exists = !Number.isNaN(at.getTime()) && at.getDate() === Number(/^\d+-\d+-(\d+)/.exec(text)?.[1])
  if (!exists) throw new UsageError('--valid-until ist kein Datum; gemeint ist etwa 2027-01-31.')
  return at.getTime()
}
