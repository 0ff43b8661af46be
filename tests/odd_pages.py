"""Pages on which parsers are likely to disagree with browsers, each with a word on what
is odd about it.
"""

ODD_PAGES = {
    "nothing": "",
    "white space": "  \n ",
    "bare text": "hello",
    "tables without tbody": "<table><tr><td>1<td>2<tr><th>x</table>",
    "text in tables": (
        "<table>junk<tr>more<td>x<p>y</table><table><caption>a<col><colgroup><tr></table><table><td><table><tr><td>n</table>"
    ),
    "forms in tables": (
        "<table><tr><td><form id=a><input></form></td><form id=b><td><input></td><input type=hidden><td></form></tr></table>"
    ),
    "hidden inputs beside wide characters": (
        "<p>–<table><tr><td><form></td><input type=\"hidden\" name=a><input name=b TYPE = 'HIDDEN'/><td>x</table>"
        "<script>'<input type=\"hidden\">' + \"<input type='hidden'>\"</script>"
    ),
    "noscript": "<head><noscript><link rel=x><style>p{}</style></noscript></head><body><noscript><p>a<b>c</noscript>",
    "templates": "<div><template><p>x</p><template>y</template></template>z</div>",
    "shadow root": "<div>\n<template shadowrootmode=open><p>shadow<slot></slot></p></template>\nlight</div>",
    "shadow root without slot": "<div><template class=x ShadowRootMode='open'><p>shadow</p></template>light<b>x</b></div>",
    "shadow root in a script": "<script>'<template shadowrootmode=open>'</script>",
    "details": "<details>text<summary>s</summary>more<p>x</details><details open>a<p>b</p><summary>c</summary></details>",
    "svg": (
        "<svg viewBox='0 0 1 1' xlink:href='#a' preserveaspectratio=none><linearGradient id=a />"
        "<foreignObject><p>html</foreignObject><title>t<![CDATA[c<d]]></title><style>x{}</style><script>1</script></svg>"
    ),
    "math": "<math definitionurl=x><mi>x</mi><annotation-xml encoding='text/html'><p>y</annotation-xml></math>",
    "leading line breaks": "<pre>\n\na\nb</pre><listing>\nx</listing><textarea>\n\nhey</textarea>",
    "cdata, php, comments": "<p>a<![CDATA[x]]>b<?php echo 1 ?>c<!-- d -->e<!doctype html>f",
    "text beyond 65536 characters": "<p>"
    + "ab😀 " * 40_000
    + "</p><script>"
    + "x" * 200_000
    + "</script><p>"
    + "é" * 65_537
    + "<b>x</b>",
    "entities": (
        "<p title='&amp;&lt;&copy&notit;&#0;&#x80;&#xD800;&nbsp;'>&amp;&lt;&copy&notit;&#0;&#x80;&#xD800;&nbsp;&AMP;&#13;&ampx"
    ),
    "misnested formatting": (
        "<p>1<b>2<i>3</b>4</i>5<a href=x>6<div>7<a href=y>8</div>9</a><b><p>x</b>y</p><font color=red><p>z</font>w"
    ),
    "pseudo-elements": (
        "<style>p::before{content:'x'}p::after{content:'y'}p::first-letter{font-size:3em}p::first-line{color:red}</style>"
        "<p>text</p><ul><li>x</ul><q>q</q>"
    ),
    "controls": "<input placeholder=x><input type=file><meter value=.5>m</meter><progress>p</progress><video controls>v</video>",
    "frames": (
        "<iframe srcdoc='<p>inner'>fall<b>back</iframe><iframe src=about:blank>"
        "</iframe><object data=x>obj<p>y</object><embed src=y>"
    ),
    "frameset": "<title>x</title></head><frameset cols=50%,50%><frame src=a><frame src=b><noframes><p>x</noframes></frameset>",
    "form controls": (
        "<form><textarea>a<b>c</textarea><select><option>1<optgroup label=x>"
        "<option>2</select><form>nested</form><button>x<button>y"
    ),
    "select with markup": "<select><button>x</button><div><option>a</option></div><hr><option><img src=x>b</select>",
    "control characters": "<p title='\0x'>c\0d\r\ne\rf\fg\v<svg>\0z</svg>",
    "byte-order marks": "\ufeff\ufeffx<p>\ufeff",
    "half a character": "a\ud83db<p>\ude00",
    "after the body": "<html><body><p>x</body></html> tail <b>y</b><!-- c -->\n",
    "second html and body": "<html lang=en><body class=a><html lang=fr dir=rtl><body class=b id=c>x",
    "strange attributes": '<p A=1 a=2 B-C=x data-É=1 @click=x :y=z "q=1 x<y=2 =z>t<a href=x/>u',
    "raw text": (
        "<xmp><b>x</xmp><noembed><i></noembed><noframes><u></noframes><style><b></style><title><b></title><p>x<plaintext><b>y"
    ),
    "ruby": "<ruby>a<rt>b<rp>c<rb>d<rtc>e<rt>f</ruby>",
    "old names": "<image src=x><isindex prompt=y><menuitem>a</menuitem><keygen><bgsound><basefont>",
    "own names": "<search>x</search><hgroup><h1>y</hgroup><dialog>z</dialog><slot>s</slot><x-card><y-z>q</y-z></x-card>",
    "refresh to another page": "<meta http-equiv=refresh content='0;url=http://127.0.0.1:1/x'><p>stay",
    "refresh to itself": "<meta http-equiv=refresh content=0><p>stay",
    "policy of its own": (
        "<meta http-equiv=content-security-policy content=\"default-src 'none'\">"
        "<script nonce=abc>1</script><p style='color:blue'>x"
    ),
    "scripts": "<body onload='document.body.innerHTML=1'><script>document.write('<p>no')</script><p>yes",
    "stray end tags": "</p></br><p>a</p></p>b</h1></div>",
    "head in the body": "<p>x<title>t</title><meta name=a><link rel=b><base href='http://x.invalid/'>y",
    "lists": "<ul><li>a<ul><li>b</ul><li>c</ul><dl><dt>x<dd>y<dt>z</dl>",
    "formatting 600 deep": "<b>" * 600 + "x",
}
