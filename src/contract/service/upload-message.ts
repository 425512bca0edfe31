/** The chat message about uploads: limits and text. */
import { formatBytes } from '../values/bytes.ts'
import { MINUTE } from '../values/units.ts'

/**
 * Milliseconds without an upload with a token after which one message reports all uploads since the last
 * message.
 */
export const UPLOAD_QUIET_PERIOD = 2 * MINUTE
/** Maximum number of paths in the message about uploads. */
export const MAX_NOTICE_PATHS = 5
const MAX_NOTICE_SENDERS = 10
export interface UploadNotice {
  fileCount: number
  bytes: number
  /** `senders` and `paths` may be incomplete, because the length of both lists is limited. */
  senders: readonly string[]
  paths: readonly string[]
}

export function uploadMessage({ fileCount: files, bytes, senders, paths }: UploadNotice): string {
  const shownSenders = senders.slice(0, MAX_NOTICE_SENDERS).join(', ')
  const othersSuffix = senders.length > MAX_NOTICE_SENDERS ? ' und anderen' : ''
  const unlistedCount = files - paths.length
  return [
    `${files === 1 ? '1 Datei' : `${files} Dateien`} hochgeladen, zusammen ${formatBytes(bytes)}, von ${shownSenders}${othersSuffix}`,
    ...paths.map(path => `• ${path}`),
    ...(unlistedCount > 0
      ? [`… und ${unlistedCount === 1 ? 'eine weitere' : `${unlistedCount} weitere`}`]
      : []),
  ].join('\n')
}
