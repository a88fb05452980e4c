Libraries in the directory lib, each an unchanged jar of its project. Their copyright and notices are in META-INF of the jars.

<#function licenses of>
  <#assign text = ""/>
  <#list of as license>
    <#if text != ""><#assign text = text + " or "/></#if>
    <#assign text = text + license/>
  </#list>
  <#return text>
</#function>
<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
${project.groupId}:${project.artifactId}:${project.version}
    ${licenses(entry.getValue())}<#if project.url??>
    ${project.url}</#if>
</#list>
