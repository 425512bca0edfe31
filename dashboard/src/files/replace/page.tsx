/** The page for search and replace in a folder, such as `/dateien/ersetzen?ordner=items`. */
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { filesAddress } from '../../state/addresses.ts'
import { textParameter, useSearchState } from '../../state/use-search-state.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { ReplaceForm } from './replace.tsx'
import { words } from './words.ts'

const PARAMETERS = { ordner: textParameter('') }

export default function ReplacePage() {
  const w = useWords(words)
  const [{ ordner }] = useSearchState(PARAMETERS)
  // The number of finished replacements. After each one, the form is mounted anew with empty fields.
  const [replacementCount, setReplacementCount] = useState(0)
  return (
    <>
      <PageHeader title={w.replace} description={w.description}>
        <LinkButton icon={IconArrowLeft} label={w.toFiles} iconSize={18} href={filesAddress({ ordner })} />
      </PageHeader>
      <Panel maw={1040}>
        <ReplaceForm
          key={replacementCount}
          target={ordner}
          onDone={() => setReplacementCount(replacementCount + 1)}
        />
      </Panel>
    </>
  )
}
