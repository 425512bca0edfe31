/** The commands of a README, as a reader copies them. */

export interface Command {
  /** The heading above the block. */
  heading: string
  /** All lines of the block. */
  text: string
}

export function commandsOf(text: string): Command[] {
  const found: Command[] = []
  let heading = ''
  let block: string[] | null = null
  for (const line of text.split('\n')) {
    if (block && line === '```') {
      found.push({ heading, text: block.join('\n') })
      block = null
    } else if (block) block.push(line)
    else if (line === '```sh') block = []
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
  }
  return found
}

/** The addresses in the text outside of commands: `http://localhost:8080/…`. */
export const addressesOf = (text: string) =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`(http:\/\/localhost:8080\/[^`]+)`/g)].map(
    ([, each = '']) => each,
  )
