/**
 * A sentence of the history, with the name of the actor in bold and paths in a monospaced font. A path is a
 * link if the file probably still exists.
 */

import { Anchor, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { parseActor } from '../../../../src/contract/accounts/actors.ts'
import { useWords } from '../../language/language.tsx'
import { fileDetailsAddress } from '../../state/addresses.ts'
import classes from './history.module.css'
import { splitTemplate } from './sentence.ts'
import { words } from './words.ts'

interface SentenceLineProps {
  template: string
  values: Record<string, ReactNode>
  /** Shown in parentheses after the sentence. */
  note?: string | null
}

export function SentenceLine({ template, values, note }: SentenceLineProps) {
  return (
    <span className={classes.sentence}>
      {splitTemplate(template).map(piece =>
        'text' in piece ? (
          piece.text
        ) : (
          <Fragment key={piece.placeholder}>{values[piece.placeholder]}</Fragment>
        ),
      )}
      {note && (
        <Text component="span" inherit c="dimmed">
          {` (${note})`}
        </Text>
      )}
    </span>
  )
}

export function Actor({ wer }: { wer: string }) {
  const w = useWords(words)
  const { kind, name } = parseActor(wer)
  const renderBold = (text: string) => (
    <Text component="b" inherit fw={600}>
      {text}
    </Text>
  )
  if (kind === 'token') return <>Token {renderBold(name)}</>
  if (kind === 'drop')
    return (
      <>
        {w.drop} {renderBold(name)}
      </>
    )
  // `wer` is shown in full: it has a prefix if the name of the account could be mistaken for another actor.
  if (kind === 'account') return renderBold(wer)
  return w[kind]
}

/** The path of a file. With `isLinked` it is a link, for a file that probably still exists. */
export function FilePath({ path, isLinked = false }: { path: string; isLinked?: boolean }) {
  if (!isLinked) return <span className={classes.path}>{path}</span>
  return (
    <Anchor component={Link} href={fileDetailsAddress(path)} className={classes.path}>
      {path}
    </Anchor>
  )
}
