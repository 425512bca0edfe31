/** The list of files that match the pattern but are not in the list of names. */

import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useWords } from '../../language/language.tsx'
import { fileDetailsAddress } from '../../state/addresses.ts'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { VirtualRows } from '../../ui/lists/virtual-rows.tsx'
import classes from './missing.module.css'
import { pathFor } from './pattern.ts'
import { words } from './words.ts'

const ROW_HEIGHT = 40

export function SurplusList({ names, pattern }: { names: readonly string[]; pattern: string }) {
  const w = useWords(words)
  return (
    <VirtualRows
      label={w.surplus}
      items={names}
      itemKey={name => name}
      rowHeight={ROW_HEIGHT}
      maxHeight="max(280px, calc(100dvh - 288px))"
    >
      {name => {
        const path = pathFor(pattern, name)
        return (
          <div className={classes.gap}>
            <Anchor
              component={Link}
              size="sm"
              href={fileDetailsAddress(path)}
              className={classes.name}
              title={w.show(name)}
            >
              <MiddleTruncatedText>{path}</MiddleTruncatedText>
            </Anchor>
          </div>
        )
      }}
    </VirtualRows>
  )
}
