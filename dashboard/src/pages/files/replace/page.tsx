/** Search and replace over a folder, with an address of its own: `/dateien/ersetzen?ordner=items`. */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { text, useSearchState } from '../../../hooks/use-search-state.ts'
import { useWords } from '../../../language/language.tsx'
import { PageHeader } from '../../../parts/page-header.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Replace } from './replace.tsx'
import { words } from './words.ts'

const SEARCH = { ordner: text('') }

export default function ReplacePage() {
  const w = useWords(words)
  const [{ ordner }] = useSearchState(SEARCH)
  // Done: the next one begins with empty fields.
  const [round, setRound] = useState(0)
  return (
    <>
      <PageHeader title={w.title} description={w.description}>
        <Button
          component={Link}
          href={ordner === '' ? '/dateien' : `/dateien?ordner=${ordner}`}
          variant="default"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          {w.back}
        </Button>
      </PageHeader>
      <Panel maw={1040}>
        <Replace key={round} ordner={ordner} onDone={() => setRound(round + 1)} />
      </Panel>
    </>
  )
}
