/** The path of the open folder as links, which are drop targets too. */
import { ActionIcon, Anchor, Breadcrumbs, Group, Menu } from '@mantine/core'
import { IconDots, IconListSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../language/language.tsx'
import { PAGES } from '../state/addresses.ts'
import { ancestry, nameOf } from '../state/paths.ts'
import { isLimit, maySee } from '../state/rights.ts'
import { MenuEntry } from '../ui/buttons.tsx'
import { folderZone } from './actions/drag.ts'
import { CommandEntries } from './commands/command-menu.tsx'
import classes from './files.module.css'
import { useFilesPage } from './files-context.ts'
import { useFilesAddress } from './listing/search.ts'
import { words } from './words.ts'

export function Crumbs() {
  const w = useWords(words)
  const { moveTo } = useFilesPage()
  const { search, folderHref } = useFilesAddress()
  const folder = search.ordner
  return (
    <Group gap={4} wrap="nowrap" mih={28}>
      <Breadcrumbs
        component="nav"
        aria-label={w.crumbs}
        separator="/"
        separatorMargin={4}
        className={classes.crumbs}
      >
        {['', ...ancestry(folder).filter(maySee)].map(path => (
          <Anchor
            key={path}
            component={Link}
            href={folderHref(path)}
            className={classes.crumb}
            aria-current={path === folder ? 'page' : undefined}
            {...folderZone(path, moveTo)}
          >
            {path === '' ? w.top : isLimit(path) ? path : nameOf(path)}
          </Anchor>
        ))}
      </Breadcrumbs>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={w.folderMenu}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <CommandEntries target={folder} />
          <Menu.Divider />
          <MenuEntry icon={IconListSearch} label={w.missingFiles} href={PAGES.missing} page />
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
