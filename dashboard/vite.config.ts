/**
 * How the dashboard is built: hashed names for ever, nothing inline, so that the content policy needs no
 * exception.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VISITOR_ROUTES } from '../src/contract/paths/addresses.ts'
import { NONCE_PLACEHOLDER, SIGNED_OUT_PAGES } from '../src/contract/service/web.ts'

/** What the service answers itself while Vite serves the pages (`npm run dev`). */
const SERVICE_ROUTES = ['/api', ...VISITOR_ROUTES, '/status', '/health']

const at = (name: string) => join(import.meta.dirname, name)

const service = `http://127.0.0.1:${process.env.PORT ?? 8080}`

const ICONS = '@tabler/icons-react'
const ICON_FILES = join(import.meta.dirname, `../node_modules/${ICONS}/dist/esm/icons`)

/**
 * Lets a build read the icons that the sources name instead of all six thousand of the package: they took 300
 * MB of memory, and small machines build the pages at their first start.
 */
function usedIcons(): Plugin {
  const module = `\0${ICONS}`
  return {
    name: 'used-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: id => (id === ICONS ? module : null),
    load(id) {
      if (id !== module) return null
      const lines = namedIcons().map(
        name => `export { default as ${name} } from ${JSON.stringify(join(ICON_FILES, `${name}.mjs`))}`,
      )
      return lines.join('\n')
    },
  }
}

function namedIcons(): string[] {
  return namesIn(/\bIcon[A-Z]\w*/g).filter(name => existsSync(join(ICON_FILES, `${name}.mjs`)))
}

function namesIn(pattern: RegExp): string[] {
  const sources = join(import.meta.dirname, 'src')
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(file => readFileSync(join(sources, file), 'utf8').match(pattern) ?? [])
  return [...new Set(names)].sort()
}

const STYLES = join(import.meta.dirname, '../node_modules/@mantine/core/styles')
/** Components that others are made of, which no source names. */
const INNER =
  'Combobox Flex FloatingIndicator InlineInput Input Loader ModalBase Notification Overlay Pill PillsInput ScrollArea'.split(
    ' ',
  )

/** What `theme.css` brings itself, so that the pages for signing in have it without the components. */
const BASE = ['baseline.css', 'default-css-variables.css', 'global.css']

/** Leaves out the styles of Mantine's components that no source names; they are half of them. */
function usedStyles(): Plugin {
  return {
    name: 'used-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('@mantine/core/styles.css')) return null
      const imports = namesIn(/import \{[^}]*\} from '@mantine\/core'/g).join()
      // `<Radio.Card` has styles of its own.
      const parts = namesIn(/<[A-Z]\w+\.[A-Z]\w+/g).map(name => name.replace(/[<.]/g, ''))
      const used = new Set([...(imports.match(/\b[A-Z]\w+/g) ?? []), ...parts, ...INNER])
      return readdirSync(STYLES)
        .filter(
          name =>
            (/^[A-Z]\w+\.css$/.test(name) && !used.has(name.replace('.css', ''))) || BASE.includes(name),
        )
        .reduce((css, name) => css.replace(readFileSync(join(STYLES, name), 'utf8').trim(), ''), code)
    },
  }
}

/**
 * Appends the variables of the theme to `theme.css`: for the pages without Mantine, and once instead of in
 * every script.
 */
function withThemeVariables(): Plugin {
  return {
    name: 'theme-variables',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('/app/theme.css') ? code + outputOf('src/app/theme-variables.ts') : null,
  }
}

/**
 * What a script prints. A process of its own, so that its memory is free again: small machines build the
 * pages at their first start.
 */
function outputOf(script: string): string {
  // Without it, a build would list the modules of React's development version.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, at(script)], { env })
  if (!success) throw new Error(`${script} failed:\n${stderr}`)
  return stdout.toString()
}

const STYLES_PLACE = '<!--styles-->'
const STYLE_LINK = / *<link rel="stylesheet"[^>]*>\n?/g

/**
 * Mantine's styles are linked first: those of our own components overrule them. All are
 * linked at the place that the document names: behind the shell, which is painted before they have arrived
 * (`src/ui/shell.ts`).
 */
function mantineFirst(): Plugin {
  return {
    name: 'mantine-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const links = (html.match(STYLE_LINK) ?? []).toSorted(
          (a, b) => Number(b.includes('/mantine-')) - Number(a.includes('/mantine-')),
        )
        return html.replaceAll(STYLE_LINK, '').replace(STYLES_PLACE, links.join('').trim())
      },
    },
  }
}

/** As the service does it (`web.route.ts`). */
function entrancePages(): Plugin {
  return {
    name: 'entrance-pages',
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        const [path = ''] = (request.url ?? '').split('?')
        if (SIGNED_OUT_PAGES.includes(path)) request.url = '/entrance.html'
        next()
      })
    },
  }
}

export const ENTRANCE = at('entrance.html')
/** The first view: the frame and the gallery, which most visits begin with; and the pages for signing in. */
const input = [at('index.html'), at('src/files/page.tsx'), ENTRANCE]

export const common = {
  root: import.meta.dirname,
  plugins: [react(), usedIcons(), usedStyles(), mantineFirst(), entrancePages()],
}

export const buildOptions = {
  target: 'es2022',
  assetsInlineLimit: 0,
  // A preload helper of its own would only be needed by browsers older than the target.
  modulePreload: { polyfill: false },
  manifest: true,
  chunkSizeWarningLimit: 1000,
  emptyOutDir: true,
}

/** Only for signing in, and not in the first view of the files. */
const SIGN_IN = /\/dashboard\/src\/pages\/|account-fields\.tsx|native\/field|sign-in-layout|api\/setup/

/**
 * What the pages for signing in need comes apart, so that they load nothing else. Of the rest, what two pages
 * share is one file for the first view, and one for the others: together 10 files instead of 51.
 */
function codeSplitting() {
  const modules: ReadonlySet<string> = new Set(JSON.parse(outputOf('scripts/entrance-modules.ts')))
  const apart = {
    test: (id: string) => modules.has(id),
    minShareCount: 2,
    includeDependenciesRecursively: false,
  }
  return {
    groups: [
      { name: 'mantine', priority: 4, test: /@mantine\/\w+\/styles/ },
      { ...apart, name: 'sign-in', priority: 3, test: (id: string) => modules.has(id) && SIGN_IN.test(id) },
      { ...apart, name: 'common', priority: 2 },
      { name: 'first', tags: ['$initial' as const], priority: 1, minShareCount: 2 },
      { name: 'shared', minShareCount: 2, includeDependenciesRecursively: false },
    ],
  }
}

export default defineConfig(({ command }) => ({
  ...common,
  plugins: [...common.plugins, withThemeVariables()],
  clearScreen: false,
  html: { cspNonce: NONCE_PLACEHOLDER },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(SERVICE_ROUTES.map(route => [route, { target: service }])),
  },
  build: {
    ...buildOptions,
    rolldownOptions: {
      input,
      ...(command === 'build' && { output: { codeSplitting: codeSplitting() } }),
    },
  },
}))
