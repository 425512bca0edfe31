/**
 * `/api/dash/sicherung`: starts a backup run and can wait for its report; shows the state; sends archives and
 * their checksums.
 */
import { z } from 'zod'
import { sha256OfStream } from '../../base/hash/sha256.ts'
import { withTimeout } from '../../base/time-limit.ts'
import {
  archiveChecksumAnswer,
  BACKUP_ROUTE,
  backupQuery,
  backupReport,
  backupState,
} from '../../contract/service/backup.ts'
import { BackupTrouble, failure } from '../../errors/errors.ts'
import { requestedRange } from '../../http/answers/conditions.ts'
import { byteStream, textStream } from '../../http/bodies/streams.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { StreamAnswer } from '../../http/server/answers.ts'
import type { ByteRange } from '../../storage/storage.ts'
import type { Backup } from './backup.ts'

/**
 * Milliseconds between the space characters that keep the connection of a waiting client open. Less than the
 * idle timeouts of this service and of usual proxies.
 */
const HEARTBEAT_INTERVAL = 15_000

export interface BackupRouteParts {
  backup: Backup
  /** Only tests set it; the default is `HEARTBEAT_INTERVAL`. */
  heartbeatInterval?: number
}

const ARCHIVE_ROUTE = `${BACKUP_ROUTE}/archiv/:name`
const ARCHIVE_TYPE = 'application/x-tar'

export function backupRoutes(parts: BackupRouteParts): SessionRoute[] {
  const { backup, heartbeatInterval = HEARTBEAT_INTERVAL } = parts
  /** Opens an archive together with the contents of all its files, as one tar. */
  async function openWholeArchive(name: string) {
    const place = await backup.placeOfArchive(name)
    if (place === null) throw failure.archiveAbsent()
    const { measureWholeArchive, readWholeArchive } = await import('./archive/whole-archive.ts')
    const { size, etag } = await measureWholeArchive(place, name).catch(error => {
      throw error instanceof BackupTrouble ? failure.archiveDamaged(error) : error
    })
    return { size, etag: `"${etag}"`, read: (range: ByteRange) => readWholeArchive(place, name, range) }
  }
  return [
    sessionRoute('GET', ARCHIVE_ROUTE, {
      role: 'betreiber',
      summary: 'Ein Archiv der Sicherung mit dem Inhalt aller Dateien',
      answerType: ARCHIVE_TYPE,
      answers: { 206: { [ARCHIVE_TYPE]: z.string() } },
      async handle({ param, request: { headers } }) {
        const { size, etag, read } = await openWholeArchive(param('name'))
        const range = rangeOf(headers, size, etag)
        const { start, end } = range ?? { start: 0, end: size }
        return new StreamAnswer(byteStream(read({ start, end })), {
          status: range ? 206 : 200,
          headers: {
            'Content-Type': ARCHIVE_TYPE,
            'Content-Length': String(end - start),
            ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
            'Content-Disposition': `attachment; filename="${param('name')}"`,
            'Accept-Ranges': 'bytes',
            ETag: etag,
            'Cache-Control': 'no-store',
          },
        })
      },
    }),
    sessionRoute('GET', `${ARCHIVE_ROUTE}/pruefsumme`, {
      role: 'betreiber',
      summary: 'Die Prüfsumme eines heruntergeladenen Archivs der Sicherung; es wird dafür ganz gelesen',
      answer: archiveChecksumAnswer,
      async handle({ param, request: { signal } }) {
        const { size, read } = await openWholeArchive(param('name'))
        // Stops reading if the client disconnects, because an archive may be very large.
        const digest = sha256OfStream(read({ start: 0, end: size }), () => signal.throwIfAborted())
        return delayedAnswer(
          digest.then(sha256 => ({ sha256 })),
          heartbeatInterval,
        )
      },
    }),
    sessionRoute('GET', BACKUP_ROUTE, {
      role: 'betreiber',
      summary: 'Ob eine Sicherung läuft, wie weit sie ist, was die letzte ergab, und welche Archive da sind',
      answer: backupState,
      handle: () => backup.state(),
    }),
    sessionRoute('POST', BACKUP_ROUTE, {
      role: 'betreiber',
      summary:
        'Startet eine Sicherung, oder schließt sich der laufenden an: 202 mit dem Stand, mit warten=1 am Ende 200 mit dem Bericht',
      query: backupQuery,
      answer: backupReport.or(backupState),
      answers: { 202: { 'application/json': backupState } },
      async handle({ query: { warten } }) {
        const { report } = await backup.start()
        if (warten !== '1') return Response.json(await backup.state(), { status: 202 })
        return delayedAnswer(report, heartbeatInterval)
      },
    }),
  ]
}

/**
 * The range that the client requested; null if the whole archive is to be sent. Throws if the range is
 * outside of the archive.
 */
function rangeOf(headers: Pick<Headers, 'get'>, size: number, etag: string): ByteRange | null {
  const rangeHeader = headers.get('Range')
  const ifRange = headers.get('If-Range')?.trim()
  if (rangeHeader === null || (ifRange && ifRange !== etag)) return null
  const range = requestedRange(rangeHeader, size)
  if (range === 'outside') throw failure.rangeUnsatisfiable(size)
  return range === 'whole' ? null : range
}

/** Begins an answer before its JSON value is known. */
const delayedAnswer = (value: Promise<unknown>, heartbeatInterval: number) =>
  new StreamAnswer(textStream(jsonWithSpaces(value, heartbeatInterval), 1), {
    headers: { 'Content-Type': 'application/json;charset=utf-8' },
  })

/**
 * Yields the value as JSON once it is known. Until then, yields space characters, which JSON allows before a
 * value (RFC 8259 section 2), to keep the connection alive.
 */
async function* jsonWithSpaces(value: Promise<unknown>, heartbeatInterval: number): AsyncGenerator<string> {
  const pendingText = value.then(value => JSON.stringify(value))
  // Prevents an unhandled rejection if `value` rejects after the client has disconnected.
  pendingText.catch(() => {})
  for (let chunk = SPACE; chunk === SPACE; yield chunk)
    chunk = await withTimeout(heartbeatInterval, pendingText, () => SPACE)
}

const SPACE = ' '
