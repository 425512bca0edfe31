/** `GET /status`. The answer contains no paths or file names, and no numbers except the uptime. */
import { z } from 'zod'
import { HOUR } from '../values/units.ts'
import { codeFromName } from './codes.ts'

/**
 * The checks, in the order of the answer. If one of `CORE_CHECKS` fails, the state is `gestoert` (disturbed);
 * if only other checks fail, it is `beeintraechtigt` (impaired).
 */
export const HEALTH_CHECKS = ['datenbank', 'platte', 'ausliefern', 'bestand', 'platz', 'sicherung'] as const
export type HealthCheck = (typeof HEALTH_CHECKS)[number]

const CORE_CHECKS: ReadonlySet<HealthCheck> = new Set([
  'datenbank',
  'platte',
  'ausliefern',
  'bestand',
] as const)

export const HEALTH_STATES = ['gesund', 'beeintraechtigt', 'gestoert'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/**
 * Milliseconds for which an answer of `/status` is reused: the checks write to disk, so they must not run at
 * every request.
 */
export const STATUS_REUSE_TIME = 10_000
/** Percentage of used disk space at which the check `platz` fails. */
export const SPACE_LIMIT_PERCENT = 95
/** Milliseconds after which the last backup counts as too old: a day, and two hours for a slow run. */
export const MAX_BACKUP_AGE = 26 * HOUR

/**
 * Unknown parameters are accepted: a monitor that misspells `streng` (strict) still needs the state of the
 * service.
 */
export const statusQuery = z.object({ streng: z.string().optional() })

const checkAnswer = z.object({
  was: z.enum(HEALTH_CHECKS),
  ok: z.boolean(),
  grund: z.string().optional(),
  /**
   * A note that is not a failure, such as the number of targets that have the last archive, or a jump of the
   * clock.
   */
  hinweis: z.string().optional(),
  /** The code of `grund`, or of `hinweis` if the check passed. */
  code: z.string().optional(),
})
export type CheckAnswer = z.infer<typeof checkAnswer>

export const statusAnswer = z.object({
  dienst: z.string(),
  /** True only if the state is `gesund`. */
  ok: z.boolean(),
  stand: z.enum(HEALTH_STATES),
  /** Seconds since the service started. */
  seit: z.int(),
  pruefungen: z.array(checkAnswer),
  /** The error sentence, only with status 503. */
  error: z.string().optional(),
})
export type StatusAnswer = z.infer<typeof statusAnswer>

export function healthStateOf(checks: readonly Pick<CheckAnswer, 'was' | 'ok'>[]): HealthState {
  const failedChecks = checks.filter(({ ok }) => !ok)
  if (failedChecks.some(({ was }) => CORE_CHECKS.has(was))) return 'gestoert'
  return failedChecks.length > 0 ? 'beeintraechtigt' : 'gesund'
}

const NUMERALS = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/**
 * Says in German at how many targets the last archive is. The number is written as a word, because the uptime
 * is the only number in the answer of `/status`.
 */
export function targetCountInWords(targetCount: number): string {
  if (targetCount < 1) return 'an keinem Ort'
  if (targetCount === 1) return 'nur an einem Ort'
  return `an ${NUMERALS[targetCount - 2] ?? 'vielen'} Orten`
}

/**
 * The sentences for `grund` (reason), some of which are also used for `hinweis` (note). They contain no
 * numbers, paths or file names.
 */
export const CHECK_REASONS = {
  tooSlow: 'Die Prüfung kam nicht rechtzeitig zu einem Ende.',
  broken: 'Die Prüfung ließ sich nicht ausführen.',
  database: 'Die Datenbank beantwortet keine Anfrage nach den Dateien.',
  databaseRefuses: 'Die Datenbank nimmt keine Änderungen an.',
  databaseBusy: 'Die Datenbank ist gerade mit einer großen Änderung beschäftigt.',
  databaseUnflushed:
    'Der Datenträger hat nicht behalten, was die Datenbank geschrieben hat; bis es gesichert ist, wird nichts gespeichert.',
  diskRefuses: 'Im Datenordner lässt sich nichts schreiben und wieder löschen.',
  storeSilent: 'Der Objektspeicher nimmt nichts an oder antwortet nicht.',
  diskFull: 'Auf der Platte ist kein Platz mehr.',
  fileMissing: 'Eine verzeichnete Datei fehlt auf der Platte.',
  fileDiffers: 'Eine verzeichnete Datei hat auf der Platte eine andere Größe.',
  fileUnreadable: 'Eine verzeichnete Datei lässt sich auf der Platte nicht ansehen.',
  inventoryLost: 'Die Datenbank kennt keine Datei, obwohl welche auf der Platte liegen.',
  changesLost:
    'Der Datenbank fehlen Änderungen, die schon gespeichert waren; „fundus doctor“ sagt, was zu tun ist.',
  spaceLow: 'Die Platte ist fast voll.',
  backupFailed: 'Die letzte Sicherung ist fehlgeschlagen.',
  backupOld: 'Die letzte Sicherung ist zu lange her.',
  backupAhead: 'Die letzte Sicherung trägt ein Datum in der Zukunft und zählt nicht; bitte die Uhr prüfen.',
  clockJumped:
    'Die Uhr ist um mehr als einen Tag gesprungen; bis das geklärt ist, wird nichts wegen seines Alters entfernt.',
  backupNever: 'Es gibt noch keine Sicherung.',
  backupRepaired: 'In der Sicherung waren Dateien beschädigt; sie wurden ersetzt. Bitte das Laufwerk prüfen.',
  rehearsalFailed: 'Die letzte Probe der Wiederherstellung ist misslungen.',
  backupGone: 'Das letzte Archiv liegt an keinem Ort mehr.',
} as const
export type CheckReason = (typeof CHECK_REASONS)[keyof typeof CHECK_REASONS]

export const archiveTargetsText = (targetCount: number) =>
  `Das letzte Archiv liegt ${targetCountInWords(targetCount)}.`

/**
 * All sentences of checks, each with its code. A backup has at most three targets; that no target has the
 * last archive is a reason of its own (`backupGone`).
 */
const CHECK_SENTENCES: readonly (readonly [code: string, sentence: string])[] = [
  ...Object.entries(CHECK_REASONS).map(
    ([name, sentence]) => [`check-${codeFromName(name)}`, sentence] as const,
  ),
  ['check-one-place', archiveTargetsText(1)],
  ['check-two-places', archiveTargetsText(2)],
  ['check-three-places', archiveTargetsText(3)],
]
export const CHECK_CODES = CHECK_SENTENCES.map(([code]) => code)
export const codeOfCheckSentence = (sentence: string) =>
  CHECK_SENTENCES.find(([, knownSentence]) => knownSentence === sentence)?.[0]
