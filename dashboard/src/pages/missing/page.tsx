/** The page that compares a list of names with the library and accepts files for the missing ones. */

import { IconArrowLeft } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { ListPanel } from './list-panel.tsx'
import classes from './missing.module.css'
import { ResultPanel } from './result-panel.tsx'
import { useMissingNames } from './use-missing-names.ts'
import { words } from './words.ts'

export default function MissingPage() {
  const w = useWords(words)
  const comparison = useMissingNames()
  return (
    <>
      <PageHeader title={w.missingFiles} description={w.description}>
        <LinkButton icon={IconArrowLeft} label={w.toFiles} iconSize={18} href={PAGES.files} />
      </PageHeader>
      <div className={classes.columns}>
        <ListPanel {...comparison} />
        <ResultPanel {...comparison} />
      </div>
    </>
  )
}
