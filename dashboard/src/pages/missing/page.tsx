import { IconListSearch } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { words } from './words.ts'

export default function MissingPage() {
  const w = useWords(words)
  return (
    <>
      <PageHeader title={w.title} />
      <EmptyState icon={IconListSearch} title={w.title} description={w.description} />
    </>
  )
}
