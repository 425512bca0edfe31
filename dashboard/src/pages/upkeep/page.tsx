/** The maintenance page: one section for each task. */
import { Stack } from '@mantine/core'
import { IconFileTypeJpg, IconPhoto } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { BackupSection } from './backup/backup-section.tsx'
import { DuplicatesSection } from './duplicates-section.tsx'
import { IntegritySection } from './integrity-section.tsx'
import { OrphansSection } from './orphans-section.tsx'
import { RoundSection } from './round-section.tsx'
import { words } from './words.ts'

export default function UpkeepPage() {
  const w = useWords(words)
  return (
    <>
      <PageHeader title={w.upkeep} description={w.description} />
      <Stack>
        <BackupSection />
        <IntegritySection />
        <RoundSection task="thumbs" icon={IconPhoto} />
        <RoundSection task="webp" icon={IconFileTypeJpg} />
        <OrphansSection />
        <DuplicatesSection />
      </Stack>
    </>
  )
}
