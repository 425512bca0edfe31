/** How `push` and `import` handle and report symbolic links in a folder. */

import type { TextPair } from '../../base/language.ts'
import type { FolderLink } from '../client/folder.ts'
import type { Formatter } from '../formatter.ts'
import { UsageError } from './command.ts'
import { readChoice } from './remote/client-input.ts'

const LINK_CHOICES = ['follow', 'skip'] as const

export const LINK_OPTIONS = { links: { type: 'string' } } as const

export const LINK_HELP: TextPair = [
  `  --links follow|skip Links im Ordner folgen oder sie auslassen; ohne diese Option werden sie ausgelassen und genannt.
                      Ein Link, der aus dem Ordner hinausführt, wird nie gesendet`,
  `  --links follow|skip follow links in the folder, or leave them out; without this option they are left out and named.
                      A link that leads out of the folder is never sent`,
]

export interface LinkOptions {
  followLinks: boolean
  /**
   * Reports symbolic links that were not followed, unless `--links skip` was typed. A link that leads out of
   * the folder ends the command, and so does any unfollowed link with `--links follow`. With `skipInvalid`,
   * these links are only reported.
   */
  report(links: readonly FolderLink[], options: { skipInvalid: boolean }): void
}

export function readLinkOptions(
  typedChoice: string | undefined,
  { formatter, printToStderr }: { formatter: Formatter; printToStderr: (text: string) => void },
): LinkOptions {
  const choice = typedChoice === undefined ? null : readChoice('links', typedChoice, LINK_CHOICES)
  const { localize, listLines } = formatter

  function listText(title: TextPair, links: readonly FolderLink[], advice: TextPair): string {
    const lines = links.map(
      ({ name, destination }) => `${name}: ${localize(...DESTINATION_WORDS[destination])}`,
    )
    const report = listLines(localize(...title), { count: lines.length, names: lines }, localize(...advice))
    return report.slice(1).join('\n')
  }

  return {
    followLinks: choice === 'follow',
    report(links, { skipInvalid }) {
      if (choice === 'skip') return
      const isRefused = ({ destination }: FolderLink) => destination === 'outside' || choice === 'follow'
      const [refusedLinks, skippedLinks] = [links.filter(isRefused), links.filter(link => !isRefused(link))]
      if (skippedLinks.length > 0)
        printToStderr(`${listText(SKIPPED_LINKS_TITLE, skippedLinks, FOLLOW_HINT)}\n`)
      if (refusedLinks.length === 0) return
      if (skipInvalid) printToStderr(`${listText(REFUSED_LINKS_TITLE, refusedLinks, SKIPPED_NOTE)}\n`)
      else {
        const report = listText(REFUSED_LINKS_TITLE, refusedLinks, SKIP_HINT)
        throw new UsageError(`Nichts wurde gesendet.\n${report}`, `Nothing was sent.\n${report}`)
      }
    },
  }
}

const DESTINATION_WORDS: Readonly<Record<FolderLink['destination'], TextPair>> = {
  inside: ['ein Link', 'a link'],
  outside: ['führt aus dem Ordner hinaus', 'leads out of the folder'],
  nowhere: ['führt ins Leere', 'leads nowhere'],
  circle: ['führt im Kreis', 'leads in a circle'],
}
const SKIPPED_LINKS_TITLE: TextPair = ['Links, die ausgelassen werden', 'Links that are left out']
const FOLLOW_HINT: TextPair = [
  '--links follow folgt ihnen, --links skip lässt sie ohne diese Meldung aus.',
  '--links follow follows them, --links skip leaves them out without this message.',
]
const REFUSED_LINKS_TITLE: TextPair = ['Links, die nicht gesendet werden können', 'Links that cannot be sent']
const SKIPPED_NOTE: TextPair = ['Sie werden ausgelassen.', 'They are left out.']
const SKIP_HINT: TextPair = [
  '--links skip oder --skip-invalid lässt sie aus.',
  '--links skip or --skip-invalid leaves them out.',
]
