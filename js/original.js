/**
 * The package's root where a native library can't load: Cloudflare Workers, edge runtimes, browsers.
 */

export * from 'tanstack-ai-sandbox'
