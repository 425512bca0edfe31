import { Button } from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../language/language.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { words } from './words.ts'

export function NotFound() {
  const w = useWords(words)
  return (
    <EmptyState icon={IconFileSearch} title={w.notFound} description={w.notFoundHint}>
      <Button component={Link} href="/dateien">
        {w.toFiles}
      </Button>
    </EmptyState>
  )
}
