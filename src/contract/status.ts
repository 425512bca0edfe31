/** `GET /status`. Built from an allow-list of fields; the only number in it is the uptime. */
import { z } from 'zod'
import { HOUR } from './units.ts'

/** In the order of the answer. A core check that fails makes the service `gestoert`, another one `beeintraechtigt`. */
export const CHECKS = ['datenbank', 'platte', 'ausliefern', 'bestand', 'platz', 'sicherung'] as const
export type Check = (typeof CHECKS)[number]

const CORE: ReadonlySet<Check> = new Set(['datenbank', 'platte', 'ausliefern', 'bestand'] as const)

export const STATES = ['gesund', 'beeintraechtigt', 'gestoert'] as const
export type State = (typeof STATES)[number]

/** A call within so many milliseconds of the last one repeats its answer, because the checks write to disk. */
export const STATUS_THROTTLE = 10_000
/** From this share on, in per cent, there is too little room. */
export const SPACE_LIMIT = 95
/** A day, and two hours for a run that takes its time. */
export const BACKUP_AGE = 26 * HOUR

/** No query is refused: a monitor that writes it differently still wants to know how the service is. */
export const statusQuery = z.object({ streng: z.string().optional() })
export const isStrict = (streng: string | undefined) => streng === '1' || streng === 'true'

const checkAnswer = z.object({
  was: z.enum(CHECKS),
  ok: z.boolean(),
  /** Why it fails. */
  grund: z.string().optional(),
  /** Of `sicherung`: at how many places the last archive lies. */
  hinweis: z.string().optional(),
})
export type CheckAnswer = z.infer<typeof checkAnswer>

export const statusAnswer = z.object({
  dienst: z.string(),
  /** Only while it is `gesund`. */
  ok: z.boolean(),
  stand: z.enum(STATES),
  /** Seconds since the start. */
  seit: z.int(),
  pruefungen: z.array(checkAnswer),
  /** With status 503. */
  error: z.string().optional(),
})
export type StatusAnswer = z.infer<typeof statusAnswer>

export function stateOf(checks: readonly Pick<CheckAnswer, 'was' | 'ok'>[]): State {
  const failing = checks.filter(({ ok }) => !ok)
  if (failing.some(({ was }) => CORE.has(was))) return 'gestoert'
  return failing.length > 0 ? 'beeintraechtigt' : 'gesund'
}

const NUMERALS = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/** As a word, because the only number in the answer is the uptime. */
export function placesInWords(places: number): string {
  if (places < 1) return 'an keinem Ort'
  if (places === 1) return 'nur an einem Ort'
  return `an ${NUMERALS[places - 2] ?? 'vielen'} Orten`
}

/** Every reason that a check may give: whole sentences without a number, a path or a name. */
export const REASONS = {
  tooSlow: 'Die Prüfung kam nicht rechtzeitig zu einem Ende.',
  broken: 'Die Prüfung ließ sich nicht ausführen.',
  database: 'Die Datenbank beantwortet keine Anfrage nach den Dateien.',
  diskRefuses: 'Im Datenordner lässt sich nichts schreiben und wieder löschen.',
  diskFull: 'Auf der Platte ist kein Platz mehr.',
  fileMissing: 'Eine verzeichnete Datei fehlt auf der Platte.',
  fileDiffers: 'Eine verzeichnete Datei hat auf der Platte eine andere Größe.',
  fileUnreadable: 'Eine verzeichnete Datei lässt sich auf der Platte nicht ansehen.',
  inventoryLost: 'Die Datenbank kennt keine Datei, obwohl welche auf der Platte liegen.',
  spaceLow: 'Die Platte ist fast voll.',
  backupFailed: 'Die letzte Sicherung ist fehlgeschlagen.',
  backupOld: 'Die letzte Sicherung ist zu lange her.',
  backupNever: 'Es gibt noch keine Sicherung.',
  backupGone: 'Das letzte Archiv liegt an keinem Ort mehr.',
} as const
export type Reason = (typeof REASONS)[keyof typeof REASONS]

export const placesText = (places: number) => `Das letzte Archiv liegt ${placesInWords(places)}.`
