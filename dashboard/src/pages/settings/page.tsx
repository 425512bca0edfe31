/** The settings page: groups of settings, accounts, export and import. */
import { Stack } from '@mantine/core'
import { useEffect } from 'react'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import type { SettingsAnswer } from '../../api/routes.ts'
import { useGet } from '../../api/use-get.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { AccountsSection } from './accounts/section.tsx'
import { changesOf, useDrafts } from './drafts.ts'
import { GroupPanel } from './group-panel.tsx'
import { SETTING_GROUPS, type SettingGroup } from './groups.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { useSettingRules } from './rules.ts'
import { SectionList } from './section.tsx'
import classes from './settings.module.css'
import { TransferSection } from './transfer/section.tsx'
import { words } from './words.ts'

export default function SettingsPage() {
  const w = useWords(words)
  const query = useGet('einstellungen')
  return (
    <>
      <PageHeader title={w.settings} description={w.description} />
      <QueryResult query={query} skeleton={<RowsSkeleton rows={6} height={72} />}>
        {settings => <Sections settings={settings} />}
      </QueryResult>
    </>
  )
}

function Sections({ settings }: { settings: SettingsAnswer }) {
  const rules = useSettingRules()
  const { language } = useLanguage()
  const settingNames = Object.keys(settings) as SettingName[]
  const unsavedNames = changesOf(settings, useDrafts(), settingNames, language === 'de').map(
    ({ name }) => name,
  )
  // Scrolls to the section named in the address. The browser cannot do it when it loads the page, because the
  // sections are rendered only after the settings have arrived.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  return (
    <div className={classes.page}>
      <SectionList />
      <Stack gap="xl">
        {(Object.keys(SETTING_GROUPS) as SettingGroup[]).map(group => (
          <GroupPanel key={group} group={group} settings={settings} rules={rules} />
        ))}
        <AccountsSection />
        <TransferSection settings={settings} />
      </Stack>
      <LeaveDialog unsavedNames={unsavedNames} />
    </div>
  )
}
