/** Errors of drop links, for visitors who upload files. */
import { formatBytes } from '../contract/values/bytes.ts'
import { createFailures } from './failure.ts'

export const dropFailures = {
  ...createFailures(403, {
    dropFull: (limit: number) =>
      `Unter diesem Link werden keine Dateien mehr angenommen: ${limit === 1 ? 'die eine erwartete ist' : `alle ${limit} erwarteten sind`} schon da.`,
    dropKindForbidden: (allowedKinds: readonly string[]) =>
      `Diese Art von Datei wird hier nicht angenommen, nur: ${allowedKinds.join(', ')}.`,
  }),
  ...createFailures(404, {
    dropAbsent: () => 'Diesen Link zum Abgeben gibt es nicht oder nicht mehr.',
  }),
  ...createFailures(413, {
    dropFileTooLarge: (limit: number) => `Die Datei ist größer als die hier erlaubten ${formatBytes(limit)}.`,
  }),
  ...createFailures(429, {
    dropsCrowded: (seconds: number) => ({
      sentence: 'Gerade werden zu viele Dateien auf einmal abgegeben; bitte später erneut versuchen.',
      headers: { 'Retry-After': String(seconds) },
    }),
  }),
}
