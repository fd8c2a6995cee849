// What the fields of a page and the parts of its policy mean, in words. Where a part is from and which engines heed it,
// the service knows.
const words = (function () {
  'use strict';

  const FIELDS = {
    'content-security-policy': 'What the page may load, run and be framed by. All that is not named is blocked and reported.',
    'content-security-policy-report-only': 'A policy that is tried: it blocks nothing, what it would block is reported.',
    'reporting-endpoints': 'Names the address that report-to stands for.',
    'permissions-policy': 'Which features of the device the page may ask for; () is nobody.',
    'referrer-policy': 'Other hosts learn the origin of this page, never its path.',
    'cross-origin-opener-policy': 'Pages of other sites get no hold on this window; pop-ups that it opens keep theirs.',
    'cross-origin-resource-policy': 'Other sites cannot load this page as a part of theirs.',
    'x-content-type-options': 'The content is what Content-Type says, never guessed.',
    'strict-transport-security': 'This host is asked by https alone from now on, for so many seconds.',
  };

  const DIRECTIVES = {
    'default-src': 'Whatever has no directive of its own',
    'script-src': 'Scripts',
    'style-src': 'Styles',
    'connect-src': 'Requests and web sockets',
    'img-src': 'Pictures',
    'media-src': 'Sound and video',
    'font-src': 'Fonts',
    'frame-src': 'Frames within the page',
    'worker-src': 'Workers',
    'manifest-src': 'The web app manifest',
    'base-uri': 'What <base> may point at',
    'object-src': 'Plug-ins',
    'form-action': 'Where forms may be sent',
    'frame-ancestors': 'Who may frame the page',
    'report-uri': 'Where violations are reported',
    'report-to': 'The endpoint to which violations are reported',
  };

  // What a tenant's file may add to; the others are the descriptor's.
  const OF_TENANTS = ['style-src', 'connect-src', 'img-src', 'media-src', 'font-src', 'frame-src'];

  const KEYWORDS = {
    "'none'": 'nothing',
    "'self'": 'this host',
    "'strict-dynamic'": 'what an allowed script loads in turn, from any host',
    "'unsafe-inline'": 'inline ones: the vendor’s script adds them to the page',
    'data:': 'those written into a data URL',
    'blob:': 'those made by the page itself',
  };

  function isHash(source) {
    return /^'sha\d+-/.test(source);
  }

  function source(text, directive) {
    if (!DIRECTIVES[directive]) return '';
    if (KEYWORDS[text]) return KEYWORDS[text];
    if (isHash(text)) return 'the inline one of this hash, byte for byte';
    if (directive === 'report-uri' || directive === 'report-to') return '';
    if (text.startsWith('wss:')) return 'web sockets to this host';
    if (text.startsWith('https://*.')) return 'every host under this name';
    if (!text.startsWith('https:')) return 'this app’s own scheme';
    return /^https:\/\/[^/]+\/./.test(text) ? 'this path of this host' : 'this host';
  }

  function originOf(address) {
    try {
      const { origin } = new URL(address);
      return origin === 'null' ? address : origin;
    } catch (_) {
      return address;
    }
  }

  return {
    isHash,
    source,
    directive: name => DIRECTIVES[name] || '',
    originOf,
    field: name => FIELDS[name.toLowerCase()] || '',

    // What a developer can do about something that was blocked.
    remedy(violation, page) {
      const directive = violation.directive.replace(/-(elem|attr)$/, '');
      const what = originOf(violation.blocked);
      if (violation.blocked === 'inline') return 'Inline code runs by its hash alone: it belongs into the page’s file.';
      if (violation.blocked === 'eval') return 'Text is never run as code: the vendor’s script has to do without.';
      if (!/^(https|wss):/.test(what)) return 'Only the bridge’s descriptor can allow it, in ' + directive + '.';
      if (!OF_TENANTS.includes(directive)) return 'Only the page and the bridge’s descriptor say what ' + directive + ' allows.';
      return 'If the chat needs it, add "' + what + '" to bridges.' + page.bridge + '.policy["' + directive + '"] in config/tenants/'
        + page.tenant + '.json, send SIGHUP and load this page again.';
    },
  };
})();
