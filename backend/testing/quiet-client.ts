// On Node 20 the official client warns at each import that it will need a newer one. We know, and it still works.
const WARNING = 'Node.js 20 and below are deprecated'
const { warn } = console

function warnQuietly(...parts: unknown[]) {
  if (!String(parts[0]).includes(WARNING)) warn(...parts)
}

// Once, where files share a process.
if (warn.name !== warnQuietly.name) console.warn = warnQuietly
