/**
 * A bar with the share of the storage that each kind of file uses. The legend contains the figures and links
 * to the files.
 */

import { Anchor, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { OverviewAnswer } from '../../../../src/contract/files/overview.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { filesAddress } from '../../state/addresses.ts'
import { pluralKindWords } from '../../ui/words.ts'
import classes from './overview.module.css'
import { words } from './words.ts'

export function KindsBar({ arten }: Pick<OverviewAnswer, 'arten'>) {
  const { w, format } = useTexts(words)
  const kindNames = useWords(pluralKindWords)
  const presentKinds = arten.filter(({ dateien }) => dateien > 0)
  return (
    <div className={classes.kinds}>
      <Title order={2} mb="xs">
        {w.kinds}
      </Title>
      <div className={classes.bar} aria-hidden>
        {presentKinds.map(({ art, bytes }) => (
          // At least 4 pixels wide, so that a small share stays visible.
          <div key={art} style={{ flex: `${Math.max(1, bytes)} 0 4px`, background: `var(--${art})` }} />
        ))}
      </div>
      <ul className={classes.legend}>
        {presentKinds.map(({ art, dateien, bytes }) => (
          <li key={art}>
            <span className={classes.swatch} style={{ background: `var(--${art})` }} />
            <Anchor
              component={Link}
              inherit
              underline="always"
              href={filesAddress({ art, unterordner: true })}
            >
              {kindNames[art]}
            </Anchor>{' '}
            <Text component="span" inherit c="dimmed">
              {`${format.number(dateien)} · ${format.bytes(bytes)}`}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  )
}
